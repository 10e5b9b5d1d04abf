/* SPDX-License-Identifier: MIT */
/* libarchive_functions - private to the room: what is called of libarchive. */
#ifndef ARCHIVE_LIBARCHIVE_FUNCTIONS_H
#define ARCHIVE_LIBARCHIVE_FUNCTIONS_H

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>

#define LIBARCHIVE_FUNCTIONS(X) \
	X(archive_entry_filetype) \
	X(archive_entry_hardlink) \
	X(archive_entry_is_data_encrypted) \
	X(archive_entry_mtime) \
	X(archive_entry_mtime_is_set) \
	X(archive_entry_nlink) \
	X(archive_entry_pathname) \
	X(archive_entry_pathname_utf8) \
	X(archive_entry_size) \
	X(archive_entry_size_is_set) \
	X(archive_entry_symlink) \
	X(archive_errno) \
	X(archive_error_string) \
	X(archive_filter_code) \
	X(archive_filter_name) \
	X(archive_format) \
	X(archive_format_name) \
	X(archive_read_data_block) \
	X(archive_read_free) \
	X(archive_read_has_encrypted_entries) \
	X(archive_read_new) \
	X(archive_read_next_header) \
	X(archive_read_open1) \
	X(archive_read_set_callback_data) \
	X(archive_read_set_format_option) \
	X(archive_read_set_read_callback) \
	X(archive_read_set_seek_callback) \
	X(archive_read_set_skip_callback) \
	X(archive_read_support_filter_bzip2) \
	X(archive_read_support_filter_compress) \
	X(archive_read_support_filter_gzip) \
	X(archive_read_support_filter_lzip) \
	X(archive_read_support_filter_lzma) \
	X(archive_read_support_filter_xz) \
	X(archive_read_support_filter_zstd) \
	X(archive_read_support_format_7zip) \
	X(archive_read_support_format_ar) \
	X(archive_read_support_format_cab) \
	X(archive_read_support_format_cpio) \
	X(archive_read_support_format_iso9660) \
	X(archive_read_support_format_tar) \
	X(archive_read_support_format_zip) \
	X(archive_set_error) \
	X(archive_version_string)

#define LIBARCHIVE_POINTER(function) __typeof__(function) *function;
/** They are there once libarchive_can() has said so. */
extern struct libarchive {
	LIBARCHIVE_FUNCTIONS(LIBARCHIVE_POINTER)
} la;
#endif

#endif

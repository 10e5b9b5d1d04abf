# SPDX-License-Identifier: MIT
# The official client in Python talks with twindex mcp, by the handshake and without one: it lists the tools, asks, plans, and
# has the plan carried out by its digest.
. "$srcdir/tests/cli/lib.sh"

python_with mcp

mkdir -p t/a t/b t/lone
for f in 1 2 3; do
	echo "content $f" >t/a/$f
	cp t/a/$f t/b/$f
done
echo lone >t/lone/f
scan t
printf '[mcp]\napply = yes\n' >"$T/config"
cat >"$T/client.py" <<'EOF'
import asyncio, os, shutil, subprocess, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

top, config, db = sys.argv[1:]
server = StdioServerParameters(command=os.environ["TWINDEX"], args=["--db", db, "mcp"], env=dict(os.environ, TWINDEX_CONFIG=config))

def member(x, *names):
    return next(getattr(x, n) for n in names if hasattr(x, n))

async def ask(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    if member(result, "isError", "is_error"):
        raise SystemExit(f"{tool}: {result}")
    return member(result, "structuredContent", "structured_content")["answer"]

def expect(what, ok):
    print(("ok " if ok else "NOT OK ") + what)
    if not ok:
        sys.exit(1)

async def talk(session):
    tools = {t.name: t for t in (await session.list_tools()).tools}
    expect("tools", {"contained", "redundant", "at_risk", "plan", "apply"} <= set(tools))
    expect("only apply changes files", [n for n, t in tools.items() if not member(t.annotations, "readOnlyHint", "read_only_hint")] == ["apply"])
    expect("contained", (await ask(session, "contained", paths=[top + "/a", top + "/b"]))["verdict"] == "contained")
    missing = await ask(session, "contained", paths=[top, top + "/b"])
    expect("missing", missing["exit"] == 1 and [f["path"] for f in missing["files"]] == [top + "/lone/f"])
    plan = await ask(session, "plan", act="remove", paths=[top + "/a"], recursive=True)
    expect("plan", plan["planned"] == 3 and all(f["keepers"] for f in plan["files"]))
    expect("nothing is done yet", sorted(os.listdir(top + "/a")) == ["1", "2", "3"])
    with open(top + "/b/2", "w") as f:
        f.write("something else")
    done = await ask(session, "apply", digest=plan["digest"])
    expect(f"apply: {done}", done["done"] == 2 and done["exit"] == 3)
    expect("what lost its copy stays", os.listdir(top + "/a") == ["2"])

def twindex(*args):
    subprocess.run([os.environ["TWINDEX"], "--db", db, *args], check=True, stdout=subprocess.DEVNULL)

async def main():
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            await talk(session)
    # Revision 2026-07-28, where the package has it.
    try:
        from mcp import Client
    except ImportError:
        return
    twindex("undo")
    shutil.copy(top + "/a/2", top + "/b/2")
    twindex("scan", "-q", "--racy-window", "0s", top)
    print("once more")
    async with Client(stdio_client(server)) as client:
        await talk(client)

asyncio.run(main())
EOF
# One process for both, for the package alone takes a second to import.
timeout 60 "$python" "$T/client.py" "$PWD/t" "$T/config" "$T/index.db" >"$T/talk" 2>&1 || fail "$(cat "$T/talk")"
talks=1
! grep -q '^once more$' "$T/talk" || talks=2
[ "$(grep -c '^ok ' "$T/talk")" -eq $((8 * talks)) ] || fail "$(cat "$T/talk")"

# SPDX-License-Identifier: MIT
"""A page in Chromium, by its debugging protocol on a pipe: what is seen, what a click leads to."""
import atexit
import json
import os
import signal
import subprocess


class Browser:
    def __init__(self, program, profile):
        ours, theirs = os.pipe(), os.pipe()
        flags = ["--headless", "--disable-gpu", "--no-first-run", "--no-sandbox", "--remote-debugging-pipe"]

        # What it leaves when it is killed lies there, too.
        os.makedirs(profile, exist_ok=True)

        def descriptors():
            # Above 4, so that neither is closed by the other one's copy.
            get, put = os.dup(ours[0]), os.dup(theirs[1])
            os.dup2(get, 3)
            os.dup2(put, 4)

        self.process = subprocess.Popen([program, *flags, f"--user-data-dir={profile}"], preexec_fn=descriptors,
                                        close_fds=False, env={**os.environ, "TMPDIR": profile}, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        atexit.register(self.close)
        os.close(ours[0])
        os.close(theirs[1])
        self.put, self.get = ours[1], os.fdopen(theirs[0], "rb")
        self.n, self.session, self.rest = 0, None, b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def message(self):
        while b"\0" not in self.rest:
            read = self.get.raw.read(65536)
            if not read:
                raise EOFError("the browser has ended")
            self.rest += read
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.n += 1
        request = {"id": self.n, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.put, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.n:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, url):
        self.call("Page.enable")
        self.call("Page.navigate", url=url)
        while self.message().get("method") != "Page.loadEventFired":
            pass

    def js(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def click(self, element):
        """Click into the upper left corner of what an expression finds, where its name is."""
        at = self.js(f"(e => {{ e.scrollIntoView(); const r = e.getBoundingClientRect(); return [r.x + 8, r.y + 8] }})({element})")
        for kind in "mousePressed", "mouseReleased":
            self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)

    def close(self):
        """End it with all its processes, which would write to their profile for a while."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

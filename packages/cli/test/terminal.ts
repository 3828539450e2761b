import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The shown string that the test waits for, and what the user then types: `SIGHUP` is a signal, and `WAIT` waits a second. */
export type Reply = readonly [shown: string, typed: string];

/** Runs a program in a pseudo-terminal of 100 columns, and returns everything that the terminal shows, and whether it echoes at the end. */
export async function runInTerminal(
  command: readonly string[],
  replies: readonly Reply[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number; readonly shown: string; readonly isEchoed: boolean }> {
  const args = ["-c", SCRIPT, JSON.stringify({ command, replies })];
  const { stdout } = await promisify(execFile)("python3", args, { env });
  return JSON.parse(stdout) as { code: number; shown: string; isEchoed: boolean };
}

// Node has no pseudo-terminal, and every machine that runs the tests has Python.
const SCRIPT = `
import fcntl, json, os, pty, signal, struct, sys, termios, time
order = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(order["command"][0], order["command"])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
shown, seen, replies = "", 0, order["replies"]
def late(*_):
    os.kill(pid, signal.SIGKILL)
    sys.exit("The program has not ended after 90 s. Shown at the end: " + repr(shown[-500:]))
signal.signal(signal.SIGALRM, late)
signal.alarm(90)
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        break
    if not chunk:
        break
    shown += chunk.decode("utf8", "replace")
    if replies and replies[0][0] in shown[seen:]:
        typed = replies.pop(0)[1]
        if typed == "WAIT":
            time.sleep(1)
            typed = replies.pop(0)[1]
        seen = len(shown)
        if typed.startswith("SIG"):
            time.sleep(0.2)
            os.kill(pid, getattr(signal, typed))
        else:
            os.write(terminal, typed.encode())
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
echoed = bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
print(json.dumps({"code": code, "shown": shown, "isEchoed": echoed}))
`;

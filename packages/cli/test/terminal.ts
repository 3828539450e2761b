import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The shown string that the test waits for, and what the user then types. */
export type Reply = readonly [shown: string, typed: string];

/** Runs a program in a pseudo-terminal of 100 columns, and returns everything that the terminal shows. */
export async function runInTerminal(
  command: readonly string[],
  replies: readonly Reply[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number; readonly shown: string }> {
  const args = ["-c", SCRIPT, JSON.stringify({ command, replies })];
  const { stdout } = await promisify(execFile)("python3", args, { env });
  return JSON.parse(stdout) as { code: number; shown: string };
}

// Node has no pseudo-terminal, and every machine that runs the tests has Python.
const SCRIPT = `
import fcntl, json, os, pty, struct, sys, termios
order = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(order["command"][0], order["command"])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
shown, seen, replies = "", 0, order["replies"]
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        break
    if not chunk:
        break
    shown += chunk.decode("utf8", "replace")
    if replies and replies[0][0] in shown[seen:]:
        seen = len(shown)
        os.write(terminal, replies.pop(0)[1].encode())
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(json.dumps({"code": code, "shown": shown}))
`;

import { spawn, type ChildProcess } from 'node:child_process'

/**
 * Ends children whose parent was killed: no signal handler and no exit hook runs then, and a child that ignores the end of
 * its standard input would live on.
 */
export interface DeathWatch extends Disposable {
  /** The process group of this child belongs to us. */
  add(pid: number): void
  /** It has gone. */
  remove(pid: number): void
}

/**
 * Starts a small process that holds a pipe from this one. When the pipe ends, whatever ended us, it ends the groups that it was
 * told of: SIGTERM first, SIGKILL after two seconds. Without a POSIX shell it does nothing.
 */
export function startDeathWatch(): DeathWatch {
  const watcher = process.platform === 'win32' ? undefined : startShell()
  const tell = (line: string): void => {
    const pipe = watcher?.stdin
    if (pipe?.writable) pipe.write(`${line}\n`)
  }

  return {
    add: (pid) => tell(`+ ${pid}`),
    remove: (pid) => tell(`- ${pid}`),
    [Symbol.dispose]() {
      tell('end')
      watcher?.stdin?.end()
    },
  }
}

/** In a session of its own, so that what ends our group does not end it. */
function startShell(): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', script, 'parley-death-watch'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
  })
  watcher.on('error', () => undefined) // there is no shell: signals and exit hooks still end the children
  watcher.stdin?.on('error', () => undefined)
  watcher.unref()
  const pipe = watcher.stdin as { unref?(): void } | null // a socket, unless it could not be started
  pipe?.unref?.()
  return watcher
}

const script = `
trap '' INT TERM HUP
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) rest=' '
       for each in $groups; do [ "$each" = "$group" ] || rest="$rest$each "; done
       groups=$rest ;;
    end) exit 0 ;;
  esac
done
for each in $groups; do kill -s TERM -- "-$each" 2>/dev/null; done
[ "$groups" = ' ' ] || sleep 2
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
`

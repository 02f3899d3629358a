/** Lets a process end although a timer waits. Runtimes whose timers are numbers have no process to keep. */
export function letExit(timer: NodeJS.Timeout): void {
  if (typeof timer === 'object') timer.unref()
}

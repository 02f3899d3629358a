import process from 'node:process'

import type { Inspector } from '@parley/inspector'

import type { Input } from '../io.ts'

/** What the keys need. */
export interface TerminalKeysParts {
  /** The Inspector that is running. */
  readonly inspector: Pick<Inspector, 'createUrl' | 'openPage'>
  /** Where keys come from. */
  readonly stdin: Input
  /** Shows a line to the person at the terminal. */
  readonly print: (line: string) => void
  /** Ctrl+C; in raw mode the terminal no longer sends the signal. @defaultValue as if it had been sent */
  readonly onInterrupt?: (() => void) | undefined
}

/** Shown where the keys work. */
export const keysHint = 'l: new link · o: open it in a browser · Ctrl+C: stop'

/**
 * `l` prints a new link, `o` opens one. Undefined where nobody sits at a terminal. Disposing gives the terminal back.
 */
export function followKeys(parts: TerminalKeysParts): Disposable | undefined {
  const { inspector, stdin, print, onInterrupt = () => process.emit('SIGINT') } = parts
  if (stdin.isTTY !== true) return undefined
  setRaw(stdin, true)

  function onData(chunk: Buffer | string): void {
    for (const key of String(chunk)) {
      if (key === '\u0003') onInterrupt()
      else if (key === 'l') print(inspector.createUrl())
      else if (key === 'o') {
        inspector
          .openPage()
          .catch(() =>
            print(`no browser could be opened; here is a link: ${inspector.createUrl()}`),
          )
      }
    }
  }

  stdin.on('data', onData)
  return {
    [Symbol.dispose]() {
      stdin.off('data', onData)
      setRaw(stdin, false)
      stdin.pause()
    },
  }
}

/** Without it keys come only after Enter, which works too. */
function setRaw(stdin: Input & { setRawMode?: (isRaw: boolean) => unknown }, isRaw: boolean): void {
  stdin.setRawMode?.(isRaw)
}

import { env, stdin, stdout } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { isatty } from 'node:tty'

/** Colours by what they are for. */
const styles = {
  heading: '1;36',
  out: '33',
  in: '32',
  dim: '2',
  warning: '31',
  bar: '36',
} as const
export type Style = keyof typeof styles

/** Where the tour is written to. */
export interface Terminal {
  /** True if a person reads and can answer. */
  readonly isInteractive: boolean
  readonly width: number
  print(text?: string): void
  paint(style: Style, text: string): string
  /** Time to read, where somebody does. */
  pause(): Promise<void>
}

/** The terminal of this process; `isFast` never waits for readers. */
export function openTerminal(isFast: boolean): Terminal {
  const isTty = isatty(stdout.fd)
  const noColor = env['NO_COLOR'] ?? '' // https://no-color.org: set and not empty
  const hasColours = isTty && noColor === '' && env['TERM'] !== 'dumb'

  return {
    isInteractive: isTty && isatty(stdin.fd),
    width: Math.max(60, stdout.columns || 110),
    print: (text = '') => console.log(text),
    paint: (style, text) => (hasColours ? `\u001B[${styles[style]}m${text}\u001B[0m` : text),
    pause: async () => {
      if (isTty && !isFast) await wait(900)
    },
  }
}

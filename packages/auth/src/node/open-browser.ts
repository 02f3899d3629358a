import { spawn } from 'node:child_process'
import process from 'node:process'

import { findProgram, systemProgram } from '@parley/mcp/system'

import { AuthError } from '../shared/auth-error.ts'
import { findUrlProblem } from '../shared/url-rules.ts'

/** A program and its arguments; never a shell, which would read the URL as more than one. */
export interface BrowserCommand {
  readonly file: string
  readonly args: readonly string[]
}

/** How a browser is opened on a platform. Throws for a URL that is neither https nor on this machine. */
export function browserCommand(
  url: URL,
  platform: NodeJS.Platform = process.platform,
): BrowserCommand {
  const problem = findUrlProblem(url, { allowLoopback: true })
  const { href } = new URL(url.href) // as the parser writes it, whatever object we were given
  // oxlint-disable-next-line no-control-regex
  if (problem !== undefined || /[\x00-\x20"'`<>\\^{|}\x7f-\uffff]/.test(escaped(href))) {
    throw new AuthError(
      'address_refused',
      `the URL is not opened in the browser: ${problem ?? 'it is not a plain URL'}`,
      {
        step: 'authorize',
      },
    )
  }
  const address = escaped(href)
  if (platform === 'darwin') return { file: '/usr/bin/open', args: [address] }
  if (platform !== 'win32') return { file: 'xdg-open', args: [address] }
  return { file: systemProgram('rundll32'), args: ['url.dll,FileProtocolHandler', address] }
}

/** Escapes characters that a careless handler of URLs might misread. */
function escaped(href: string): string {
  return href.replaceAll(
    /["'`^{|}\\<>]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Whether there is a screen to open a browser on, and a person in front of it. */
export function hasBrowser(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const { SSH_CONNECTION, SSH_TTY, CI, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = environment
  if (SSH_CONNECTION || SSH_TTY || CI) return false
  if (platform === 'darwin' || platform === 'win32') return true
  return Boolean(DISPLAY || WAYLAND_DISPLAY || WSL_DISTRO_NAME)
}

/**
 * Opens a URL in the person's browser: https or loopback only, no shell. Rejects if there is no program for it; one that
 * starts and then finds no browser says so late, to `onFailed`.
 */
export async function openBrowser(url: URL, onFailed: () => void = () => {}): Promise<void> {
  const { file, args } = browserCommand(url)
  const program = findProgram(file)
  if (program.kind === 'missing') throw new Error(`there is no ${file} to open a browser with`)
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program.file, args, { stdio: 'ignore', detached: true, shell: false })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code !== 0 && code !== null) onFailed()
    })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

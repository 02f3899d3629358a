import process from 'node:process'
import { createInterface } from 'node:readline'

import { anySignal } from '@parley/mcp/signals'

import type { TokenStore } from '../client/grants/token-store.ts'
import type { Platform, Receiver } from '../client/sign-in/interactive.ts'
import { parseUrl } from '../shared/url-rules.ts'
import { createKeyringTokenStore } from './keyring-store.ts'
import { openLoopbackReceiver } from './loopback-receiver.ts'
import { hasBrowser, openBrowser } from './open-browser.ts'

/** A browser and a listener; without a screen, the terminal. */
export const platform: Platform = {
  async openReceiver(registered) {
    const receiver = await openLoopbackReceiver(registered)
    return hasBrowser() ? receiver : withTerminal(receiver)
  },

  showUrl,
}

/** Opens the page of a sign-in in the person's browser; where there is none, prints the address. */
export async function showUrl(url: URL): Promise<void> {
  if (hasBrowser()) {
    try {
      return await openBrowser(url, () => reportAddress(url))
    } catch (error) {
      if (error instanceof Error && error.name === 'AuthError') throw error
      // There is no such program; the person has one.
    }
  }
  reportAddress(url)
}

function reportAddress({ href }: URL): void {
  const mayPaste = process.stdin.isTTY && !hasBrowser()
  process.stderr.write(
    `To sign in, open this address in a browser:\n\n  ${href}\n\n${mayPaste ? pasting : ''}`,
  )
}

const pasting = 'If the browser is on another machine, paste the address of the last page here.\n'

function withTerminal(receiver: Receiver): Receiver {
  return {
    ...receiver,
    async receive(signal, state) {
      const done = new AbortController()
      const either = anySignal(signal, done.signal)
      try {
        return await Promise.race([
          receiver.receive(signal, state),
          readPastedCallback(either, state),
        ])
      } finally {
        done.abort()
      }
    },
  }
}

let store: Promise<TokenStore> | undefined

/** One for the whole process: the keyring, else encrypted files. */
export function openDefaultStore(): Promise<TokenStore> {
  return (store ??= createKeyringTokenStore())
}

/**
 * Where the browser is on another machine it cannot come back by itself: the person copies the address it ended at.
 * Never resolves if nobody can type here.
 */
function readPastedCallback(signal: AbortSignal, state: string): Promise<URL> {
  return new Promise((resolve) => {
    if (!process.stdin.isTTY) return
    const lines = createInterface({ input: process.stdin })
    signal.addEventListener('abort', () => lines.close(), { once: true })
    lines.on('line', (line) => {
      const url = parseUrl(line.trim())
      if (url?.searchParams.get('state') === state) {
        lines.close()
        resolve(url)
      } else if (line.trim() !== '') {
        process.stderr.write(
          'That is not the address of the last page of this sign-in. Copy the whole address.\n',
        )
      }
    })
  })
}

import { createSafeFetch } from '@parley/auth'
import { iconTypeOf, isSafeIcon } from '@parley/mcp'

import type { Methods } from '../protocol/index.ts'
import type { Handlers } from './handlers.ts'
import { ProblemError } from './problem.ts'

export interface IconsContext {
  /** Throws for a server that there is not. */
  readonly find: (server: string) => unknown
  /** @defaultValue public addresses only, checked where the socket connects; 256 KiB and ten seconds at most */
  readonly fetch?: typeof fetch | undefined
}

/** Fetches an icon once a person has asked for it. The page itself loads nothing from elsewhere. */
export function createIcons({
  find,
  fetch = createSafeFetch(),
}: IconsContext): Handlers<'icons/load'> {
  return {
    async 'icons/load'({ server, src }): Promise<Methods['icons/load']['result']> {
      find(server)
      if (!isSafeIcon({ src }) || new URL(src).protocol !== 'https:') {
        throw new ProblemError('icon_refused', 'icons are loaded from https addresses only')
      }
      // No credentials, no referrer, and no other place than the one that was agreed to.
      const answer = await fetch(src, {
        redirect: 'manual',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        headers: { accept: 'image/png, image/jpeg, image/webp, image/svg+xml' },
      })
      if (!answer.ok) {
        throw new ProblemError('icon_refused', `${new URL(src).host} answered ${answer.status}`, {
          hint: 'Redirects are not followed.',
        })
      }
      const bytes = new Uint8Array(await answer.arrayBuffer())
      const type = iconTypeOf(bytes)
      if (type === undefined) {
        throw new ProblemError('icon_refused', 'the icon is not a PNG, JPEG, WebP or SVG')
      }
      return { type, data: Buffer.from(bytes).toString('base64') }
    },
  }
}

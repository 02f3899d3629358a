import type { Tone } from '@parley/page/parts'

import type { ServerView } from '../../src/protocol/index.ts'

/** The state of a server in a word, and the tone of its dot. */
export const serverLooks: Readonly<
  Record<ServerView['state'], { readonly word: string; readonly tone: Tone }>
> = {
  idle: { word: 'not started', tone: 'plain' },
  connecting: { word: 'connecting', tone: 'info' },
  ready: { word: 'ready', tone: 'good' },
  failed: { word: 'failed', tone: 'bad' },
  'sign-in': { word: 'sign-in needed', tone: 'warning' },
  off: { word: 'off', tone: 'plain' },
}

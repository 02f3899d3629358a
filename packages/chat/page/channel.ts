import { createChannel, type Channel } from '@parley/page/channel'

import type { Events, Methods } from '../src/protocol/index.ts'

/** The page's only channel. */
export const channel: Channel<Methods, Events> = createChannel<Methods, Events>({
  protocol: 'parley.chat.1',
  program: 'chat',
})

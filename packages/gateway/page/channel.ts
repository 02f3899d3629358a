import { createChannel, type Channel as PageChannel } from '@parley/page/channel'

import type { Events, Methods, PageProtocol } from '../src/page-service/protocol.ts'

type Channel = PageChannel<Methods, Events>

const protocol: PageProtocol = 'parley.gateway.1'
let channel: Channel | undefined

/** The page's only channel; opened by the first call. */
export function openChannel(): Channel {
  channel ??= createChannel<Methods, Events>({ protocol, program: 'gateway' })
  return channel
}

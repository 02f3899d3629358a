import { createChannel, type Channel as PageChannel } from '@parley/page/channel'

import type { ChannelProtocol, Events, Methods } from '../src/protocol/index.ts'

/** What panels use to talk with the service. */
type Channel = PageChannel<Methods, Events>

const protocol: ChannelProtocol = 'parley.inspector.1'
let channel: Channel | undefined

/** The page's only channel; opened by the first call. */
export function openChannel(): Channel {
  channel ??= createChannel<Methods, Events>({ protocol, program: 'inspector' })
  return channel
}

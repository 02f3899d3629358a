export { ChannelError, createChannel } from './channel.ts'
export type { Channel, ChannelOptions, ChannelStatus } from './channel.ts'
export type { Problem } from '@parley/foundation/channel'

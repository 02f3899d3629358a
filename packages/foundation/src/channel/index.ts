export { createChannels } from './create-channels.ts'
export type { Channels, ChannelsOptions } from './create-channels.ts'
export type { ChannelEvent, ChannelMessage, ChannelMethods, Problem } from './messages.ts'

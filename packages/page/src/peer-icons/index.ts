export { IconLoader } from './icon-loader.ts'
export type { LoadIcon } from './icon-loader.ts'
export { LoadPeerIcon, PeerIcon } from './peer-icon.tsx'
export type { PeerIconProps } from './peer-icon.tsx'

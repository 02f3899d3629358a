export {
  acceptWebSockets,
  type AcceptWebSocketsOptions,
  type WebSocketService,
} from '../transport/websocket/accept.ts'
export {
  checkUpgrade,
  type UpgradeOptions,
  type UpgradeDecision,
} from '../transport/websocket/check-upgrade.ts'
export { openWebSocket, type OpenWebSocketOptions } from '../transport/websocket/open.ts'
export {
  type SocketClose,
  createWebSocketTransport,
  type WebSocketOptions,
} from '../transport/websocket/transport.ts'
export type { SocketEvent, SocketLike } from '../transport/websocket/socket-like.ts'

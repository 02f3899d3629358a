export type {
  ObjectContext,
  ObjectNamespace,
  ObjectStorage,
  ObjectStub,
  SqlRows,
  SqlValue,
} from './cloudflare-types.ts'
export {
  createMcpObject,
  type McpObject,
  type McpObjectClass,
  type McpObjectOptions,
  type ObjectServerContext,
} from './mcp-object.ts'
export { createDurableObjectClusterStore, type DurableObjectStore } from './object-store.ts'
export { routeToObjects, type RouteOptions } from './route-to-objects.ts'

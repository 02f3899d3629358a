export {
  appTool,
  defineApp,
  showsApps,
  type AppConfig,
  type AppTool,
  type AppToolOptions,
  serverApps,
} from '../server/apps.ts'
export { clientApps } from '../client/apps/client-apps.ts'
export { readApp, type AppPage, type AppsClient } from '../client/apps/read-app.ts'
export {
  appContentPolicy,
  readAppCsp,
  type AppCsp,
  type ReadAppCsp,
  type RejectedDomain,
} from '../schema/apps/app-csp.ts'
export {
  appProtocolVersion,
  type AppCapabilities,
  type AppDisplayMode,
  type AppHostCapabilities,
  type AppHostContext,
  type AppInitializeResult,
} from '../schema/apps/app-messages.ts'
export {
  appLinkOf,
  appMimeType,
  appsExtension,
  isToolFor,
  type AppLink,
  type AppPageMeta,
  type AppPermissions,
  type AppVisibility,
} from '../schema/apps/app.ts'
export { appScript } from '../transport/app-page/app-script.ts'

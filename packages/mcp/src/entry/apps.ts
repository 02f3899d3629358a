export { appTool, defineApp, showsApps } from '../server/apps/define-app.ts'
export type { AppConfig, AppTool, AppToolOptions } from '../server/apps/define-app.ts'
export { serverApps } from '../server/apps/server-apps.ts'
export { clientApps } from '../client/apps/client-apps.ts'
export { readApp } from '../client/apps/read-app.ts'
export type { AppPage, AppsClient } from '../client/apps/read-app.ts'
export { appContentPolicy, readAppCsp } from '../schema/apps/app-csp.ts'
export type { AppCsp, ReadAppCsp, RefusedDomain } from '../schema/apps/app-csp.ts'
export { appProtocolVersion } from '../schema/apps/app-messages.ts'
export type {
  AppCapabilities,
  AppDisplayMode,
  AppHostCapabilities,
  AppHostContext,
  AppInitializeResult,
} from '../schema/apps/app-messages.ts'
export { appLinkOf, appMimeType, appsExtension, isToolFor } from '../schema/apps/app.ts'
export type { AppLink, AppPageMeta, AppPermissions, AppVisibility } from '../schema/apps/app.ts'
export { appScript } from '../transport/app-page/app-script.ts'

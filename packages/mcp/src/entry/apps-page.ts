export { connectApp } from '../transport/app-page/connect-app.ts'
export type { App, AppPort, ConnectAppOptions } from '../transport/app-page/connect-app.ts'
export type {
  AppCapabilities,
  AppDisplayMode,
  AppHostCapabilities,
  AppHostContext,
} from '../schema/apps/app-messages.ts'

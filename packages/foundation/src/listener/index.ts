export { readBinding } from './addresses.ts'
export type { Binding, Reach } from './addresses.ts'
export type { Via } from './access.ts'
export { keyHeader } from './access.ts'
export { guardHeaders } from './headers.ts'
export { defaultLimits } from './limits.ts'
export type { ListenerLimits } from './limits.ts'
export type {
  Listener,
  ListenerApp,
  ListenerOptions,
  Route,
  RouteResult,
  Upgrade,
} from './options.ts'
export { startListener } from './start-listener.ts'
export { builtPage } from './built-page.ts'
export { createStaticFiles } from './static-files.ts'
export type { StaticFile, StaticFiles } from './static-files.ts'
export type { TokenFile } from './token-file.ts'

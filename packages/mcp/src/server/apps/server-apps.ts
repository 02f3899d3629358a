import { appMimeType, appsExtension } from '../../schema/apps/app.ts'
import type { ServerExtension } from '../extensions.ts'
import type { Feature } from '../feature.ts'

/** Adds apps made by `defineApp` to a server, and tells clients that it has some. */
export function serverApps<App = unknown>(
  ...apps: readonly (readonly Feature<App>[])[]
): ServerExtension<App> {
  return {
    id: appsExtension,
    settings: { mimeTypes: [appMimeType] },
    features: apps.flat(),
  }
}

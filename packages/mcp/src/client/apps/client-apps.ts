import { appMimeType, appsExtension } from '../../schema/apps/app.ts'
import type { Extension } from '../../schema/capabilities.ts'

/** Tells servers that this client shows apps. */
export function clientApps(): Extension<never> {
  return { id: appsExtension, settings: { mimeTypes: [appMimeType] } }
}

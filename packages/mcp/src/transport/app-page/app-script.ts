import { connectApp } from './connect-app.ts'

/**
 * A script for pages that are made without a bundler: put it into `<script>…</script>`, and the scripts after it have
 * `connectApp()`, which is that of `@parley/mcp/apps/page`.
 */
export const appScript: string = `globalThis.connectApp = ${connectApp.toString()}`

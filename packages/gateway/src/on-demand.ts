import type { LoadedGatewayConfig } from './config/gateway-config.ts'
import type { LoadGatewayOptions } from './config/load-gateway-config.ts'
import type { GatewayPage, GatewayPageOptions } from './page-service/start-page.ts'

// Parts whose code is loaded when they are first used: a gateway that does without them starts faster.

/** Reads the file of a gateway: its own form, or a file with `mcpServers` as hosts have it. */
export async function loadGatewayConfig(
  file: string,
  options?: LoadGatewayOptions,
): Promise<LoadedGatewayConfig> {
  const loaded = await import('./config/load-gateway-config.ts')
  return loaded.loadGatewayConfig(file, options)
}

/**
 * Opens the page of a gateway on a port of its own, on loopback unless told otherwise. Whoever has a link from
 * `createEntryUrl` can look at everything and change what the page can change; each change is written to the audit.
 */
export async function startGatewayPage(options: GatewayPageOptions): Promise<GatewayPage> {
  const loaded = await import('./page-service/start-page.ts')
  return loaded.startGatewayPage(options)
}

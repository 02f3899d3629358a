import type { OpenCatalogue } from '@parley/inspector'

/** Opens the registry that the page names, or the one that `parley search` would ask. */
export function openCatalogueBy(env: {
  readonly [name: string]: string | undefined
}): OpenCatalogue {
  return async (url) => {
    const { openCatalogue } = await import('@parley/registry/client')
    return openCatalogue({ url, env })
  }
}

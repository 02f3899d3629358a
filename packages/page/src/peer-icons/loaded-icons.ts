import { create } from 'zustand'

import { showProblem } from '../parts/problem.tsx'
import type { LoadIcon } from './icon-loader.ts'
import { toDataUrl } from './read-icon.ts'

interface LoadedIcons {
  /** Where somebody agreed to load icons from, as `server\nhost`; until the page is closed. */
  readonly allowed: ReadonlySet<string>
  /** By server and address; null while it is loaded, or when it could not be. */
  readonly urls: { readonly [key: string]: string | null | undefined }
}

/** Icons from elsewhere, each loaded by the service after somebody agreed. */
export const useLoadedIcons = create<LoadedIcons>(() => ({ allowed: new Set(), urls: {} }))

/** Where an icon is kept. */
export function keyOfIcon(server: string, srcOrHost: string): string {
  return `${server}\n${srcOrHost}`
}

/** Icons of this server may be loaded from this host. */
export function allowHost(server: string, host: string): void {
  useLoadedIcons.setState(({ allowed }) => ({
    allowed: new Set([...allowed, keyOfIcon(server, host)]),
  }))
}

/** Loads one, once. */
export async function loadIcon(load: LoadIcon, server: string, src: string): Promise<void> {
  const key = keyOfIcon(server, src)
  if (useLoadedIcons.getState().urls[key] !== undefined) return
  keep(key, null)
  try {
    const { type, data } = await load(server, src)
    keep(key, toDataUrl(type, data))
  } catch (error) {
    showProblem(error, 'The icon could not be loaded')
  }
}

function keep(key: string, url: string | null) {
  useLoadedIcons.setState(({ urls }) => ({ urls: { ...urls, [key]: url } }))
}

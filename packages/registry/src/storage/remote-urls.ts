import type { Writing } from './tables.ts'

/** A URL that another name has. */
export interface RemoteInUse {
  readonly kind: 'remote-in-use'
  readonly url: string
  readonly by: string
}

/** Two names that are published here must not stand for one remote server; a source of a mirror takes nothing from them. The caller holds the locks of these URLs. */
export async function findRemoteInUse(
  writing: Writing,
  name: string,
  urls: readonly string[],
): Promise<RemoteInUse | undefined> {
  if (urls.length === 0) return undefined
  const found = await writing
    .selectFrom('server_remotes')
    .select(['url', 'name'])
    .where('url', 'in', urls)
    .where('name', '<>', name)
    .where((build) =>
      build.not(
        build.exists(
          build
            .selectFrom('server_versions as v')
            .select('v.id')
            .whereRef('v.name', '=', 'server_remotes.name')
            .where('v.source', 'is not', null),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return found === undefined ? undefined : { kind: 'remote-in-use', url: found.url, by: found.name }
}

/** Takes the URLs for a version. */
export async function takeRemotes(
  writing: Writing,
  { name, version }: { readonly name: string; readonly version: string },
  urls: readonly string[],
): Promise<void> {
  if (urls.length === 0) return
  await writing
    .insertInto('server_remotes')
    .values(urls.map((url) => ({ url, name, version })))
    .execute()
}

/** Gives the URLs of a version back. */
export async function freeRemotes(
  writing: Writing,
  { name, version }: { readonly name: string; readonly version: string },
): Promise<void> {
  await writing
    .deleteFrom('server_remotes')
    .where('name', '=', name)
    .where('version', '=', version)
    .execute()
}

/** What a writer of a document has to lock. */
export function lockKeys(name: string, urls: readonly string[]): readonly string[] {
  return [`name:${name}`, ...urls.map((url) => `url:${url}`)]
}

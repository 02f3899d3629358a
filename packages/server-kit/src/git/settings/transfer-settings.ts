import { parseSettingKey } from './setting-key.ts'

/** Of a remote: what runs there, which way it goes, and what it fetches later. */
const ofRemotes = new Set([
  'uploadpack',
  'receivepack',
  'vcs',
  'proxy',
  'proxyauthmethod',
  'mirror',
  'promisor',
  'partialclonefilter',
])

/** Of HTTP, what changes neither where a transfer goes nor whom it believes. */
const harmlessHttp = new Set([
  'emptyauth',
  'extraheader',
  'followredirects', // overridden
  'lowspeedlimit',
  'lowspeedtime',
  'maxrequests',
  'minsessions',
  'noepsv',
  'postbuffer',
  'useragent',
  'version',
])

const others = new Set([
  'extensions.partialclone',
  'fetch.bundleuri',
  'fetch.skiplist', // fetch.fsck.skipList: errors tell the first line of that file
  'fetch.uriprotocols',
])

/** The first setting that changes where a transfer goes or what it runs; with one of these none is made. */
export function unsafeForTransfer(keys: Iterable<string>): string | undefined {
  for (const key of keys) {
    const { section, name } = parseSettingKey(key)
    const isUnsafe =
      (section === 'remote' && ofRemotes.has(name)) ||
      (section === 'http' && !harmlessHttp.has(name)) ||
      section === 'promisor' ||
      others.has(`${section}.${name}`)
    if (isUnsafe) return key
  }
  return undefined
}

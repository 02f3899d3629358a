import { readOciReference, type OciReference } from '../install/package-identity.ts'
import type { Outgoing, OutgoingResponse } from '../network/outgoing.ts'
import { notFound, type ProvePackage } from './package-proofs.ts'

const label = 'io.modelcontextprotocol.server.name'
const manifestTypes = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ')

/** A label of the image's configuration, pulled by nobody in particular. */
export const proveImage: ProvePackage = async ({ identifier }, serverName, outgoing) => {
  const image = readOciReference(identifier)
  if (image === undefined) return { kind: 'refused', why: `${identifier} is not an image` }
  const pull = await createPull(image, outgoing)
  const first = await pull(`manifests/${image.reference}`)
  // Images of busy registries could otherwise not be published at all.
  if (first.status === 429) return { kind: 'owned' }
  if (first.status !== 200) return notFound(first.status, identifier)
  const index = parse(first.text)
  const part = index?.manifests?.[0]?.digest
  const manifest = isDigest(part) ? parse((await pull(`manifests/${part}`)).text) : index
  const config = manifest?.config?.digest
  if (!isDigest(config)) return { kind: 'refused', why: `${identifier} has no configuration` }
  const found = parse((await pull(`blobs/${config}`)).text)?.config?.Labels?.[label]
  if (found === serverName) return { kind: 'owned' }
  const seen = found === undefined ? 'has no label' : `has ${JSON.stringify(found)} as label`
  return { kind: 'refused', why: `${identifier} ${seen} ${label}: set it to ${serverName}` }
}

type Ask = (path: string) => Promise<OutgoingResponse>

/** Registries hand out a token to anybody who asks for it where they say. */
async function createPull(
  { host, repository, reference }: OciReference,
  outgoing: Outgoing,
): Promise<Ask> {
  const home = host === 'docker.io' ? 'registry-1.docker.io' : host
  const base = `https://${home}/v2/${repository}`
  const limits = { maxRedirects: 3, timeoutMs: 30_000 }
  const first = await outgoing(`${base}/manifests/${reference}`, {
    ...limits,
    headers: { accept: manifestTypes },
  })
  const token = first.status === 401 ? await getToken(first, outgoing) : undefined
  return (path) =>
    outgoing(`${base}/${path}`, {
      ...limits,
      headers: { accept: manifestTypes, ...(token && { authorization: `Bearer ${token}` }) },
    })
}

async function getToken(answer: OutgoingResponse, outgoing: Outgoing): Promise<string | undefined> {
  const challenge = answer.headers.get('www-authenticate') ?? ''
  const read = (name: string) => new RegExp(`${name}="([^"]{1,500})"`).exec(challenge)?.[1]
  const realm = read('realm')
  if (realm === undefined) return undefined
  const url = new URL(realm)
  for (const name of ['service', 'scope']) {
    const value = read(name)
    if (value !== undefined) url.searchParams.set(name, value)
  }
  const { text } = await outgoing(url.href)
  const found = parse(text)
  const token = found?.token ?? found?.access_token
  return typeof token === 'string' && /^[\w.~+/=-]+$/.test(token) ? token : undefined
}

/** The few members of the documents of a registry that are looked at; any may be missing. */
interface ImageDocument {
  readonly manifests?: readonly { readonly digest?: unknown }[]
  readonly config?: {
    readonly digest?: unknown
    readonly Labels?: { readonly [name: string]: unknown }
  }
  readonly token?: unknown
  readonly access_token?: unknown
}

function parse(text: string): ImageDocument | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // Every member is optional and read with `?.`; what is used is checked first.
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^sha256:[a-f0-9]{64}$/.test(value)
}

/**
 * The files of skills: their URIs, media types, digests and frontmatter, cached as long as their source. Throws `invalid_definition` for a
 * skill that its format forbids.
 *
 * Reads contents from a `SkillSource`, in memory or on demand.
 */

import {
  type ParseFrontmatter,
  readFrontmatter,
  type SkillFrontmatter,
  isSkillName,
} from '../../schema/skills/frontmatter.ts'
import { digestOf, skillLimits, type Skill } from '../../schema/skills/skill.ts'
import { invalidDefinition } from '../feature.ts'
import type { SkillFile, SkillFolder } from './catalogue.ts'

/** Metadata about the contents of files; cached as long as their source. */
export interface SkillFiles {
  /** The contents as they are now; updates what is known about them. */
  read(file: SkillFile): Promise<Uint8Array>
  frontmatter(skill: SkillFolder): Promise<SkillFrontmatter>
  describe(skill: SkillFolder): Promise<Skill>
}

interface SkillFileInfo {
  readonly digest: string
  readonly size: number
  /** Read once, from the file that is called so. */
  readonly frontmatter?: SkillFrontmatter
}

export function createSkillFiles(parse?: ParseFrontmatter): SkillFiles {
  const filesBySource = new WeakMap<SkillSource, Map<string, Promise<SkillFileInfo>>>()

  function factsOf(file: SkillFile): Promise<SkillFileInfo> {
    return knownOf(file).get(file.path) ?? remember(file, load(file))
  }

  /** A failure is not remembered: the next attempt may succeed. */
  function remember(file: SkillFile, bytes: Promise<Uint8Array>): Promise<SkillFileInfo> {
    const info = bytes.then((loaded) => examine(file, loaded, parse))
    knownOf(file).set(file.path, info)
    info.catch(() => {
      if (knownOf(file).get(file.path) === info) knownOf(file).delete(file.path)
    })
    return info
  }

  function knownOf({ source }: SkillFile): Map<string, Promise<SkillFileInfo>> {
    const before = filesBySource.get(source)
    if (before) return before
    const fresh = new Map<string, Promise<SkillFileInfo>>()
    filesBySource.set(source, fresh)
    return fresh
  }

  async function frontmatter({ uri, name, files }: SkillFolder): Promise<SkillFrontmatter> {
    const file = files.find((candidate) => candidate.uri === uri)
    const found = file && (await factsOf(file)).frontmatter
    if (found === undefined) throw new TypeError(`${name} has no SKILL.md`) // the catalogue saw to it
    return found
  }

  return {
    frontmatter,

    async read(file) {
      const bytes = await load(file)
      if (typeof contentsOf(file) === 'function') await remember(file, Promise.resolve(bytes))
      return bytes
    },

    async describe(skill) {
      const all = await Promise.all(skill.files.map(factsOf))
      const resources = skill.files.map(({ uri }, index) => {
        const { digest = '', size = 0 } = all[index] ?? {}
        return { uri, digest, size }
      })
      const bytes = resources.reduce((sum, { size }) => sum + size, 0)
      if (bytes > skillLimits.bytes) {
        throw invalidDefinition(
          `skill ${JSON.stringify(skill.uri)}`,
          `its files have ${bytes} bytes, more than the ${skillLimits.bytes} a skill may have`,
        )
      }
      return { uri: skill.uri, frontmatter: await frontmatter(skill), resources }
    },
  }
}

function contentsOf({ source, path }: SkillFile): SkillSource['files'][string] | undefined {
  return source.files[path]
}

async function load(file: SkillFile): Promise<Uint8Array> {
  const contents = contentsOf(file)
  return bytesOf(typeof contents === 'function' ? await contents() : contents, file)
}

function bytesOf(contents: SkillContents | undefined, { uri }: SkillFile): Uint8Array {
  if (typeof contents === 'string') return new TextEncoder().encode(contents)
  if (contents instanceof Uint8Array) return contents
  throw new TypeError(`the contents of ${uri} are neither text nor bytes`)
}

async function examine(
  file: SkillFile,
  bytes: Uint8Array,
  parse: ParseFrontmatter | undefined,
): Promise<SkillFileInfo> {
  const info = { digest: await digestOf(bytes), size: bytes.byteLength }
  return file.path === 'SKILL.md' ? { ...info, frontmatter: checkSkill(file, bytes, parse) } : info
}

/** By the format of skills. */
const maxDescriptionLength = 1024

/** The frontmatter of a `SKILL.md` that is named like its folder; throws `invalid_definition` for any other. */
function checkSkill(
  { source }: SkillFile,
  bytes: Uint8Array,
  parse: ParseFrontmatter | undefined,
): SkillFrontmatter {
  const feature = `skill ${JSON.stringify(source.path)}`
  const text = textOf(bytes, 'text/markdown')
  if (text === undefined) throw invalidDefinition(feature, 'SKILL.md: it is not text in UTF-8')
  const reading = readFrontmatter(text, parse)
  if (reading.kind === 'problem') throw invalidDefinition(feature, `SKILL.md: ${reading.problem}`)
  const { name, description } = reading.frontmatter
  const folder = source.path.slice(source.path.lastIndexOf('/') + 1)
  if (name !== folder) {
    const why = `SKILL.md: its name is ${JSON.stringify(name)}, but the last part of its path is not`
    throw invalidDefinition(feature, why)
  }
  if (description.length > maxDescriptionLength) {
    const why = `SKILL.md: its description is longer than ${maxDescriptionLength} characters`
    throw invalidDefinition(feature, why)
  }
  return reading.frontmatter
}

/** Throws `invalid_definition` if contents that are already loaded are invalid. */
export function checkContents(file: SkillFile, parse?: ParseFrontmatter): void {
  const contents = contentsOf(file)
  if (file.path !== 'SKILL.md' || typeof contents === 'function') return
  checkSkill(file, bytesOf(contents, file), parse)
}

/** Media types of common files in skills, by extension. */
const types = new Map([
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['mjs', 'text/javascript'],
  ['ts', 'text/x-typescript'],
  ['py', 'text/x-python'],
  ['sh', 'text/x-shellscript'],
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['pdf', 'application/pdf'],
  ['zip', 'application/zip'],
])

/** The media type by the file name; undefined for an unknown extension. */
export function mediaTypeOf(name: string): string | undefined {
  const [, ending = ''] = /\.([^.]+)$/.exec(name) ?? []
  return types.get(ending.toLowerCase())
}

/** The text of a file; undefined for images and archives, and for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array, mimeType: string | undefined): string | undefined {
  if (mimeType !== undefined && /^image\/(?!svg)|\/pdf$|\/zip$/.test(mimeType)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined // not UTF-8: served as bytes
  }
}

/** A skill as its author defines it. */
export interface SkillSource {
  /** Below `skill://`; its last part is the name of the skill. */
  readonly path: string
  /** Files by path relative to the skill, with `SKILL.md`. A function is called whenever its contents are needed. */
  readonly files: { readonly [path: string]: SkillContents | (() => Promise<SkillContents>) }
}

/** Text, or the bytes of anything else. */
export type SkillContents = string | Uint8Array

/** The URI of a skill's folder; undefined for a path that leaves `skill://` or has no valid name at its end. */
export function rootUri(path: string): string | undefined {
  const parts = path.split('/')
  const isSafe = parts.every((part) => /^[A-Za-z0-9._~-]+$/.test(part) && !isDots(part))
  return isSafe && isSkillName(parts.at(-1) ?? '') ? `skill://${path}` : undefined
}

/** The URI of a file in a folder; undefined for a path that leaves the folder or could be read in two ways. */
export function fileUri(root: string, path: string): string | undefined {
  const parts = path.split('/')
  if (!parts.every(isSafePart)) return undefined
  return `${root}/${parts.map(encodeURIComponent).join('/')}`
}

/** Some systems read a backslash as a slash; control characters are invisible; a lone surrogate is not a character. */
function isSafePart(part: string): boolean {
  return part !== '' && !isDots(part) && !/[\\\p{Cc}\p{Cs}]/u.test(part)
}

function isDots(part: string): boolean {
  return part === '.' || part === '..'
}

import * as s from '../check.ts'
import { pageShape, type Listed } from '../pagination.ts'
import type { SkillFrontmatter } from './frontmatter.ts'

/** The name of the extension. */
export const skillsExtension = 'io.modelcontextprotocol/skills'

/** Limits that every host accepts for one skill, and no server should exceed. */
export const skillLimits = { files: 512, bytes: 16 * 1024 * 1024 } as const

/** One file of a skill. */
export interface SkillResource {
  /** The URI to read for its contents. */
  readonly uri: string
  /** `sha256:` and the hexadecimal digits of its bytes' SHA-256. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

/** A skill as a server lists it: all that is needed to check each of its files. */
export interface Skill {
  /** The URI of its `SKILL.md`. */
  readonly uri: string
  /** The metadata in its `SKILL.md`. */
  readonly frontmatter: SkillFrontmatter
  /** Every file, or `dynamic` where contents are made when asked for and cannot be checked. */
  readonly resources: readonly SkillResource[] | 'dynamic'
}

/** Params of `skills/get` and `resources/directory/read`. */
export interface SkillParams {
  readonly uri: string
  /** Where to go on in a directory. */
  readonly cursor?: string
}

/** One page of skills. */
export type ListSkillsResult = Listed<'skills', Skill>

/** The answer to `skills/get`. */
export interface GetSkillResult {
  readonly skill: Skill
}

const fileName = '/SKILL.md'

/** The folder of a skill by the URI of its `SKILL.md`; undefined for another URI. */
export function skillRoot(uri: string): string | undefined {
  return /^[A-Za-z][A-Za-z0-9+.-]*:.*[^/]\/SKILL\.md$/.test(uri)
    ? uri.slice(0, -fileName.length)
    : undefined
}

const skillResource = s.object<SkillResource>({
  uri: s.string,
  digest: s.is('sha256: and 64 lower-case hexadecimal digits', isDigest),
  size: s.is('a number of bytes', isSize),
})

const frontmatter: s.Check<SkillFrontmatter> = s.object<SkillFrontmatter>({
  name: s.string,
  description: s.string,
})

/** One skill. */
const skill = s.object<Skill>({
  uri: s.string,
  frontmatter,
  resources: (value) =>
    value === 'dynamic' ? undefined : resources(value) && { path: [], expected: resourcesAre },
})
const resources = s.array(skillResource)
const resourcesAre = 'a list of { uri, digest, size }, or "dynamic"'

/** Result of `skills/list`. */
export const listSkillsResult = s.object<ListSkillsResult>({ skills: s.array(skill), ...pageShape })

/** Result of `skills/get`. */
export const getSkillResult = s.object<GetSkillResult>({ skill })

function isDigest(value: unknown): boolean {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value)
}

function isSize(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** SHA-256 of bytes as skills write it: `sha256:` and 64 hexadecimal digits. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = await globalThis.crypto.subtle.digest('SHA-256', bytes)
  const digits = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0'))
  return `sha256:${digits.join('')}`
}

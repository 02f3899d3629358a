/** A skill as a server lists it. */
export interface SkillView {
  /** Of its `SKILL.md`. */
  readonly uri: string
  readonly frontmatter: { readonly [name: string]: unknown }
  /** `dynamic`: contents are made when asked for, and cannot be checked. */
  readonly files:
    | readonly { readonly uri: string; readonly size: number; readonly digest: string }[]
    | 'dynamic'
}

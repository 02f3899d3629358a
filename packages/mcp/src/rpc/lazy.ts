/** A part that is loaded when it is first needed; many programs never need it. */
export interface Lazy<Part> {
  /** The part, as soon as it is there. */
  readonly loaded: Part | undefined
  /** Once; again only if it failed. */
  load(): Promise<Part>
}

/** `create` imports the part and makes it. What it gave is kept: importing again is not for nothing, even where it is there. */
/* @__NO_SIDE_EFFECTS__ */
export function lazy<Part>(create: () => Promise<Part>): Lazy<Part> {
  let loaded: Part | undefined
  let loading: Promise<Part> | undefined

  async function load(): Promise<Part> {
    try {
      return (loaded = await create())
    } catch (error) {
      loading = undefined // may be there next time
      throw error
    }
  }

  return {
    get loaded() {
      return loaded
    },
    load: () => (loading ??= load()),
  }
}

/** A part of the client that is loaded when it is first needed; many clients never need it. */
export interface Later<Part> {
  /** The part, as soon as it is there. */
  readonly loaded: Part | undefined
  /** Once; again only if it failed. */
  load(): Promise<Part>
}

/** `create` imports the part and makes it. */
export function later<Part>(create: () => Promise<Part>): Later<Part> {
  let loaded: Part | undefined
  let loading: Promise<Part> | undefined

  async function load(): Promise<Part> {
    try {
      return (loaded = await create())
    } catch (error) {
      loading = undefined
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

/** Options of which each has a value if it is there. */
export type Given<Options> = { [Name in keyof Options]: Exclude<Options[Name], undefined> }

/** Options without those that are undefined, so that these leave what the provider has. */
export function givenOptions<Options extends object>(options: Options): Given<Options> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Given<Options> // the same, without what is undefined
}

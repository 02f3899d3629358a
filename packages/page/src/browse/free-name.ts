/** The name itself, or with the first number that makes it new. */
export function freeName(name: string, usedNames: ReadonlySet<string>): string {
  if (!usedNames.has(name)) return name
  let number = 2
  while (usedNames.has(`${name}-${number}`)) number++
  return `${name}-${number}`
}

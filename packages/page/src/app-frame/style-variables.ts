/** The colours and sizes of the page under the names of the specification, as they are computed now. */
export function styleVariables(element: Element): { readonly [name: string]: string } {
  const computed = getComputedStyle(element)
  const found = Object.entries(names).map(([name, own]) => [
    name,
    computed.getPropertyValue(own).trim(),
  ])
  return Object.fromEntries(found.filter(([, value]) => value !== ''))
}

const names: { readonly [name: string]: string } = {
  '--color-background-primary': '--surface',
  '--color-background-secondary': '--surface-raised',
  '--color-background-tertiary': '--surface-sunken',
  '--color-background-info': '--info-ground',
  '--color-background-danger': '--bad-ground',
  '--color-background-success': '--good-ground',
  '--color-background-warning': '--warning-ground',
  '--color-text-primary': '--text',
  '--color-text-secondary': '--text-quiet',
  '--color-text-info': '--info',
  '--color-text-danger': '--bad',
  '--color-text-success': '--good',
  '--color-text-warning': '--warning',
  '--color-border-primary': '--line',
  '--color-border-secondary': '--line-strong',
  '--color-ring-primary': '--accent',
  '--font-sans': '--mantine-font-family',
  '--font-mono': '--mantine-font-family-monospace',
}

export const known: readonly (readonly [name: string, title: string, description: string])[]
export function catalogue(count: number): readonly object[]

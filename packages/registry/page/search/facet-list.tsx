import { UnstyledButton } from '@mantine/core'
import { showHidden } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { go, useAddress } from '../address.ts'
import { facetLabels, facetNames, facetValue, type FacetName } from '../facets.ts'
import type { FacetCounts } from './read-results.ts'

/** What the results can be narrowed down by, and how many each would leave. */
export function FacetList({ counts }: { readonly counts: FacetCounts }): ReactElement {
  return (
    <>
      {facetNames.map((name) => (
        <Facet key={name} name={name} values={counts[name] ?? []} />
      ))}
    </>
  )
}

function Facet(props: {
  readonly name: FacetName
  readonly values: readonly { readonly value: string; readonly count: number }[]
}): ReactElement | null {
  const { name, values } = props
  const facets = useAddress((address) => address.facets)
  const picked = facets[name]
  // What was picked can be taken back, also where it leaves nothing.
  const isThere = picked === undefined || values.some(({ value }) => value === picked)
  const shown = isThere ? values : [{ value: picked, count: 0 }, ...values]
  if (shown.length < 2 && picked === undefined) return null
  return (
    <fieldset className="facet">
      <legend>{facetLabels[name]}</legend>
      {shown.map(({ value, count }) => (
        <UnstyledButton
          key={value}
          className="facet-value"
          aria-pressed={value === picked}
          onClick={() =>
            go({ facets: { ...facets, [name]: value === picked ? undefined : value } })
          }
        >
          <span className="grow cut">{showHidden(facetValue(name, value))}</span>
          <span className="count">{count}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  )
}

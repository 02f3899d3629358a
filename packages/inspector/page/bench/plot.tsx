import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type Palette, readPalette } from '@parley/page/trace'
import { useEffect, useRef, type ReactElement } from 'react'
import uPlot from 'uplot'

/** What a plot is told besides its size. */
export type PlotOptions = Omit<uPlot.Options, 'width' | 'height'>

export interface PlotProps {
  readonly label: string
  readonly data: uPlot.AlignedData
  readonly height?: number
  /** Everything but size and data, in the colours of the page. */
  readonly describe: (palette: Palette) => PlotOptions
}

/** A plot as wide as there is room. The table beside it has the same data. */
export function Plot({ label, data, height = 180, describe }: PlotProps): ReactElement {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const scheme = useComputedColorScheme('light')
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const newest = useRef({ data, describe })
  newest.current = { data, describe }

  useEffect(() => {
    if (!host.current || width < 40) return undefined
    const options = newest.current.describe(readPalette(host.current))
    const plotHeight = options.legend?.show === false ? height : height - 34
    const made = new uPlot(
      { ...options, width, height: plotHeight },
      newest.current.data,
      host.current,
    )
    plot.current = made
    return () => {
      made.destroy()
      plot.current = undefined
    }
  }, [width, height, scheme])

  useEffect(() => {
    plot.current?.setData(data)
  }, [data])

  return (
    <div ref={ref} className="plot" style={{ height }}>
      <div ref={host} role="img" aria-label={label} />
    </div>
  )
}

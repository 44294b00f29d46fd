import { type ComponentProps, type ReactNode, Suspense, useState } from 'react'
import { Button } from '../Button.tsx'
import { Panel } from '../Panel.tsx'
import { SectionBoundary } from '../SectionBoundary.tsx'
import { Skeleton } from '../Skeleton.tsx'
import css from './chart.module.css'
import { chartHeight } from './chart.ts'

export type FrameProps = {
  /** Nothing at all is known: why. There is no table then either. */
  empty?: ReactNode
  /** Nothing can be drawn, although the table has rows. */
  undrawable?: ReactNode
  /** What stands above the chart and its table. */
  head?: ReactNode
  /** What stands below the chart. */
  foot?: ReactNode
} & Pick<ComponentProps<typeof Panel>, 'footer' | 'asOf'>

type Props = FrameProps & {
  title: string
  isDrawable: boolean
  legend: ReactNode
  table: ReactNode
  /** The drawing; it may load on first use. */
  children: ReactNode
}

/** Every chart stands in its panel with its legend, and the same figures as a table. */
export function ChartFrame({ title, isDrawable, legend, table, children, ...props }: Props) {
  const { empty, head, foot, undrawable = 'No data in this period.' } = props
  const [asTable, setAsTable] = useState(false)
  const isEmpty = empty != null
  return (
    <Panel
      title={title}
      asOf={props.asOf}
      footer={props.footer}
      actions={
        <Button size="small" aria-pressed={asTable} disabled={isEmpty} onClick={() => setAsTable(!asTable)}>
          Show as table
        </Button>
      }
    >
      {head}
      {isEmpty ? (
        <p className={css['muted']}>{empty}</p>
      ) : asTable ? (
        table
      ) : isDrawable ? (
        <>
          {legend}
          <SectionBoundary onRetry={() => setAsTable(false)}>
            <Suspense fallback={<Skeleton height={chartHeight} />}>{children}</Suspense>
          </SectionBoundary>
          {foot}
        </>
      ) : (
        <p className={css['muted']}>{undrawable}</p>
      )}
    </Panel>
  )
}

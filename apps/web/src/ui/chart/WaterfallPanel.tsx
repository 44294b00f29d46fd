import { ChartFrame, type FrameProps } from './ChartFrame.tsx'
import css from './waterfall.module.css'
import { type BridgeStep, bridgeBars } from './waterfall.ts'

type Props = FrameProps & {
  title: string
  steps: readonly BridgeStep[]
  format: (value: number) => string
  /** For the narrow places above the bars; the exact figure is in the title and the table. */
  short: (value: number) => string
}

/** How a figure came from its start to its end. Each bar leads to the rows behind it. */
export function WaterfallPanel(props: Props) {
  const { title, steps, format } = props
  return (
    <ChartFrame
      {...props}
      isDrawable={steps.some(({ value }) => value !== null)}
      legend={null}
      table={
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
        <section className={css['scroll']} tabIndex={0} aria-label={`${title} as a table`}>
          <table className={css['table']}>
            <tbody>
              {steps.map((step) => (
                <tr key={step.id} data-level={step.kind === 'level'}>
                  <th scope="row">{step.label}</th>
                  <td>
                    <Figure step={step} text={signed(step, format)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      }
    >
      <Bars {...props} />
    </ChartFrame>
  )
}

function Bars({ title, steps, format, short }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls, so the keyboard has to reach it
    <ol className={css['bars']} tabIndex={0} aria-label={title}>
      {bridgeBars(steps).map((bar) => {
        const exact = `${bar.label}: ${signed(bar, format)}`
        return (
          <li key={bar.id} className={css['step']}>
            <div className={css['plot']} title={exact}>
              <div
                className={css['bar']}
                style={{ bottom: `${100 * bar.bottom}%`, height: `${100 * bar.height}%`, background: bar.color }}
                data-empty={bar.height === 0}
              />
              <span className={css['value']} style={{ bottom: `calc(${100 * (bar.bottom + bar.height)}% + 2px)` }}>
                <Figure step={bar} text={signed(bar, short)} exact={exact} />
              </span>
            </div>
            <span className={css['label']}>{bar.label}</span>
          </li>
        )
      })}
    </ol>
  )
}

function Figure({ step, text, exact }: { step: BridgeStep; text: string; exact?: string }) {
  if (!step.href || step.value === null) return text
  // What is seen is part of the name, so that it can be spoken.
  const name = exact === undefined || exact.includes(text) ? exact : `${exact}, ${text}`
  return (
    <a href={step.href} aria-label={name}>
      {text}
    </a>
  )
}

function signed({ kind, value }: BridgeStep, format: (value: number) => string): string {
  if (value === null) return 'Unavailable'
  if (kind === 'level' || value === 0) return format(value)
  return `${value > 0 ? '+' : '−'}${format(Math.abs(value))}`
}

import { Progress } from '../../ui/Progress.tsx'
import css from './customers.module.css'
import type { Export } from './use-export.ts'

type Props = { exported: Export; total: number | null }

export function ExportProgress({ exported, total }: Props) {
  if (exported.rows === null) return null
  return (
    <div className={css['export']}>
      <Progress
        label="Exporting customers"
        done={exported.rows}
        total={total}
        unit="customers"
        onCancel={exported.cancel}
      />
    </div>
  )
}

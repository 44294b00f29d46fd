import type { Export } from '../lib/list/use-export.ts'
import css from './ExportProgress.module.css'
import { Progress } from './Progress.tsx'

type Props = {
  exported: Export
  /** "Exporting customers" */
  label: string
  /** How many rows there are, where it is known. */
  total?: number | null | undefined
}

export function ExportProgress({ exported, label, total = null }: Props) {
  if (exported.rows === null) return null
  return (
    <div className={css['export']}>
      <Progress label={label} done={exported.rows} total={total} unit={exported.unit[1]} onCancel={exported.cancel} />
    </div>
  )
}

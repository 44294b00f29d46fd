import { ReasonedButton } from '../ReasonedButton.tsx'
import { type BulkAct, blockOfAll } from './bulk-act.ts'

type Props<Row> = { acts: readonly BulkAct<Row>[]; rows: readonly Row[]; onChoose: (act: BulkAct<Row>) => void }

export function BulkBar<Row>({ acts, rows, onChoose }: Props<Row>) {
  return acts.map((act) => (
    <ReasonedButton
      key={act.label}
      size="small"
      aria-haspopup="dialog"
      blocked={blockOfAll(act, rows)}
      onClick={() => onChoose(act)}
    >
      {act.label}
    </ReasonedButton>
  ))
}

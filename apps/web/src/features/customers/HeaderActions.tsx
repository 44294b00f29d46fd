import * as customers from '@agency/contract/descriptors/customers'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'

type Props = { exporting: boolean; onExport: () => void; onAdd: () => void }

export function HeaderActions({ exporting, onExport, onAdd }: Props) {
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Icon name="download" />}
        disabled={exporting}
        onClick={onExport}
        title="All customers that match the filters, as CSV"
      >
        Export
      </Button>
      <ReasonedButton
        variant="contained"
        startIcon={<Icon name="add" />}
        aria-haspopup="dialog"
        blocked={useDenial(customers.createCustomer)}
        onClick={onAdd}
      >
        Add Customer
      </ReasonedButton>
    </>
  )
}

import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { useToast } from '../../ui/Toast.tsx'

type Props = { exporting: boolean; onExport: () => void }

export function HeaderActions({ exporting, onExport }: Props) {
  const toast = useToast()
  const handleAdd = () =>
    toast.info('Adding customers from here is not built yet. A customer added at Stripe appears here by itself.')
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
      <Button variant="contained" startIcon={<Icon name="add" />} onClick={handleAdd}>
        Add Customer
      </Button>
    </>
  )
}

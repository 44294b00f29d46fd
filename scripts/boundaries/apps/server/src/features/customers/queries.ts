import { Chart } from '../../../../web/src/ui/Chart.tsx'

export const findCustomers = `server-not-web ${Chart}`

import Paper from '@mui/material/Paper'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

// What anyone would write first: no router, no query library, no shell, just the rows in the library's own table.
type Payment = {
  id: string
  customer_name: string | null
  amount: number
  currency: string
  status: string
  payment_method_type: string | null
  description: string | null
  created_at: string
}

const titles = ['Customer', 'Amount', 'Status', 'Method', 'Description', 'Created']

function Payments() {
  const [rows, setRows] = useState<Payment[]>([])
  useEffect(() => {
    void fetch('/data')
      .then((response) => response.json() as Promise<{ payments: Payment[] }>)
      .then(({ payments }) => setRows(payments))
  }, [])
  return (
    <TableContainer component={Paper}>
      <Table>
        <TableHead>
          <TableRow>
            {titles.map((title) => (
              <TableCell key={title}>{title}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.id}>
              <TableCell>{row.customer_name}</TableCell>
              <TableCell>{`${row.amount / 100} ${row.currency}`}</TableCell>
              <TableCell>{row.status}</TableCell>
              <TableCell>{row.payment_method_type}</TableCell>
              <TableCell>{row.description}</TableCell>
              <TableCell>{row.created_at}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<Payments />)

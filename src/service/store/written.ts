/** The record that was just written, read back; that it is not there would be a bug. */
export function written<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error("a record that was just written can't be read");
  return row;
}

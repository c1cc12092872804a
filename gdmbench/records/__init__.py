"""What cells gave: the columns of a record, the store they are kept in, the frame that exhibits are drawn from."""

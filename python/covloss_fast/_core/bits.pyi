# bits

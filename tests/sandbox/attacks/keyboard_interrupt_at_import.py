# any: an exception like others
raise KeyboardInterrupt
